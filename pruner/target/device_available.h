// Whether programs for a target can run on this machine.

#ifndef PRUNER_TARGET_DEVICE_AVAILABLE_H_
#define PRUNER_TARGET_DEVICE_AVAILABLE_H_

#include <string>

#include "absl/status/status.h"
#include "pruner/target/target_spec.h"

namespace pruner {

// OK if the target's driver is installed and has a device. Otherwise
// UNAVAILABLE, with one sentence that names the target and says what is
// missing. Ask before anything of Halide's touches the device: without a driver
// Halide's run time ends the program. Whether the device is the one that the
// spec describes is not looked at.
absl::Status DeviceAvailable(const TargetSpec& spec);

// The same by a driver library of another name, or nothing for Backend::kHost.
absl::Status ProbeDriver(Backend backend, const std::string& library);

}  // namespace pruner

#endif  // PRUNER_TARGET_DEVICE_AVAILABLE_H_
