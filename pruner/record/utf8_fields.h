// Making a message fit to be read again.
#ifndef PRUNER_RECORD_UTF8_FIELDS_H_
#define PRUNER_RECORD_UTF8_FIELDS_H_

#include "google/protobuf/message.h"

namespace pruner {

// Makes every string of the message and of those in it valid UTF-8. A message
// of proto3 with another one is written, but cannot be read. Not for maps.
void MakeStringsValid(google::protobuf::Message& message);

}  // namespace pruner

#endif  // PRUNER_RECORD_UTF8_FIELDS_H_
