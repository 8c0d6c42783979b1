// The version of this program, as logs and reports name it.
#ifndef PRUNER_BASE_VERSION_H_
#define PRUNER_BASE_VERSION_H_

namespace pruner {

inline constexpr char kProgramVersion[] = "pruner 0.2";

}  // namespace pruner

#endif  // PRUNER_BASE_VERSION_H_
