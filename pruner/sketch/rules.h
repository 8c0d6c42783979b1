// The built-in rules (numbers of docs/algorithms.md A3). Each is stateless.
// Where the outermost tiles are a parallel loop and where tiles are bound to
// threads, some differ in when they apply or what they do.
#ifndef PRUNER_SKETCH_RULES_H_
#define PRUNER_SKETCH_RULES_H_

#include "pruner/sketch/sketch_rule.h"

namespace pruner {

const SketchRule& MultiLevelTilingRule();  // 3

// For loops over cores.
const SketchRule& SkipRule();                        // 1
const SketchRule& AlwaysInlineRule();                // 2
const SketchRule& MultiLevelTilingWithFusionRule();  // 4
const SketchRule& CacheWriteRule();                  // 5
const SketchRule& RfactorRule();                     // 6
const SketchRule& UnrollConstantsRule();             // C
const SketchRule& PackRule();                        // A6
const SketchRule& StencilChainRule();                // ours
const SketchRule& VectorTileRule();                  // ours
const SketchRule& RootTilesRule();                   // ours
const SketchRule& UnrollSharedRule();                // ours

// For threads in blocks.
const SketchRule& SkipInThreadsRule();                        // 1
const SketchRule& InlineInThreadsRule();                      // 2
const SketchRule& MultiLevelTilingWithFusionInThreadsRule();  // 4
const SketchRule& CacheWriteInThreadsRule();                  // 5
const SketchRule& CacheReadRule();                            // 7
const SketchRule& SpecialLocationRule();                      // 8
const SketchRule& CrossThreadReductionRule();                 // 9
const SketchRule& UnrollConstantsInThreadsRule();             // C

}  // namespace pruner

#endif  // PRUNER_SKETCH_RULES_H_
