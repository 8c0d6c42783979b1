// The built-in rules (numbers of docs/algorithms.md A3). Each is stateless.
#ifndef PRUNER_SKETCH_RULES_H_
#define PRUNER_SKETCH_RULES_H_

#include "pruner/sketch/sketch_rule.h"

namespace pruner {

const SketchRule& SkipRule();                        // 1
const SketchRule& AlwaysInlineRule();                // 2
const SketchRule& MultiLevelTilingRule();            // 3
const SketchRule& MultiLevelTilingWithFusionRule();  // 4
const SketchRule& CacheWriteRule();                  // 5
const SketchRule& RfactorRule();                     // 6
const SketchRule& CacheReadRule();                   // 7
const SketchRule& SpecialLocationRule();             // 8
const SketchRule& CrossThreadReductionRule();        // 9
const SketchRule& UnrollConstantsRule();             // C
const SketchRule& PackRule();                        // A6
const SketchRule& StencilChainRule();                // ours
const SketchRule& VectorTileRule();                  // ours

}  // namespace pruner

#endif  // PRUNER_SKETCH_RULES_H_
