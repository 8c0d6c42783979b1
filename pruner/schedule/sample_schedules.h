// Schedules of MatmulReluDag for tests.
#ifndef PRUNER_SCHEDULE_SAMPLE_SCHEDULES_H_
#define PRUNER_SCHEDULE_SAMPLE_SCHEDULES_H_

namespace pruner {

// On CPUs, of any size: tiles of 4 rows and 2 vectors, with the reduction
// around them.
inline constexpr char kSampleTiledMatmul[] =
    "split stage=2 iterator=0 lengths=4 tail=guard\n"
    "split stage=2 iterator=2 lengths=32 tail=guard\n"
    "split stage=2 iterator=3 lengths=16 tail=guard\n"
    "reorder stage=2 order=0,2,5,1,3,4\n"
    "annotate stage=2 iterator=5 annotation=vectorize\n"
    "annotate stage=2 iterator=4 annotation=unroll\n"
    "annotate stage=2 iterator=3 annotation=unroll\n"
    "annotate stage=2 iterator=0 annotation=parallel\n";

// Blocks of 128 x 128, 16 x 16 threads of 2 x 2 virtual ones of 4 x 4 numbers,
// eight of the depth at once in shared memory.
inline constexpr char kSampleStagedMatmul[] =
    "split stage=2 iterator=0 lengths=2,16,1,4 tail=guard\n"
    "split stage=2 iterator=5 lengths=2,16,1,4 tail=guard\n"
    "split stage=2 iterator=10 lengths=2,4 tail=guard\n"
    "reorder stage=2 order=0,5,10,2,7,11,12,1,6,3,8,4,9\n"
    "annotate stage=2 iterator=12 annotation=unroll\n"
    "annotate stage=2 iterator=11 annotation=unroll\n"
    "annotate stage=2 iterator=10 annotation=unroll\n"
    "annotate stage=2 iterator=9 annotation=unroll\n"
    "fuse stage=2 iterator=7 count=2\n"
    "annotate stage=2 iterator=7 annotation=vthread\n"
    "fuse stage=2 iterator=3 count=2\n"
    "annotate stage=2 iterator=3 annotation=thread\n"
    "follow_split stage=3 iterator=0 source_step=0 levels=4 "
    "tail=shift_inwards\n"
    "follow_split stage=3 iterator=4 source_step=1 levels=4 "
    "tail=shift_inwards\n"
    "reorder stage=3 order=0,4,2,6,1,5,3,7\n"
    "annotate stage=3 iterator=7 annotation=vectorize\n"
    "annotate stage=3 iterator=6 annotation=unroll\n"
    "fuse stage=3 iterator=4 count=2\n"
    "annotate stage=3 iterator=4 annotation=vthread\n"
    "fuse stage=3 iterator=2 count=2\n"
    "annotate stage=3 iterator=2 annotation=thread\n"
    "fuse stage=3 iterator=0 count=2\n"
    "annotate stage=3 iterator=0 annotation=block\n"
    "store_in stage=2 storage=register\n"
    "compute_at stage=2 target_stage=3 target_iterator=0\n"
    "cache_read stage=1 readers=2\n"
    "compute_at stage=2 target_stage=3 target_iterator=2\n"
    "store_in stage=2 storage=shared\n"
    "fuse stage=2 iterator=0 count=2\n"
    "split stage=2 iterator=0 lengths=1 tail=guard\n"
    "follow_fused_split stage=2 iterator=0 source_steps=0,1 level=1 "
    "tail=guard\n"
    "annotate stage=2 iterator=1 annotation=thread\n"
    "annotate stage=2 iterator=2 annotation=vectorize\n"
    "cache_read stage=0 readers=3\n"
    "compute_at stage=1 target_stage=4 target_iterator=2\n"
    "store_in stage=1 storage=shared\n"
    "fuse stage=1 iterator=0 count=2\n"
    "split stage=1 iterator=0 lengths=1 tail=guard\n"
    "follow_fused_split stage=1 iterator=0 source_steps=0,1 level=1 "
    "tail=guard\n"
    "annotate stage=1 iterator=1 annotation=thread\n"
    "annotate stage=1 iterator=2 annotation=vectorize\n";

// Of MatmulReluDag(64, 256, 512), in panels of 32 columns.
inline constexpr char kSamplePanels[] =
    "split stage=2 iterator=0 lengths=16,4 tail=guard\n"
    "split stage=2 iterator=3 lengths=1,32 tail=guard\n"
    "split stage=2 iterator=6 lengths=64 tail=guard\n"
    "reorder stage=2 order=0,3,6,1,4,7,2,5\n"
    "follow_split stage=3 iterator=0 source_step=0 levels=2 tail=guard\n"
    "follow_split stage=3 iterator=2 source_step=1 levels=2 tail=guard\n"
    "reorder stage=3 order=2,0,1,3\n"
    "compute_at stage=2 target_stage=3 target_iterator=1\n"
    "annotate stage=3 iterator=0 annotation=parallel\n"
    "annotate stage=2 iterator=6 annotation=unroll\n"
    "annotate stage=2 iterator=7 annotation=vectorize\n";

}  // namespace pruner

#endif  // PRUNER_SCHEDULE_SAMPLE_SCHEDULES_H_
