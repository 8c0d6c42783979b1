#!/bin/bash
# How models rank programs of tasks that they have not learned from (docs/search.md, "Tasks that
# were not seen"):
#   bazel run -c opt //:install -- FOLDER
#   tools/evaluate/held_out.sh FOLDER/bin DATA
# DATA is made, in 70 minutes in which nothing else should run; what is there already is not
# measured again. The rest takes 5 minutes.
set -euo pipefail

bin=$1
data=$2

collect() {  # folder, sampling, programs of each task, further flags
  local folder=$data/$1 sampling=$2 programs=$3
  shift 3
  if [[ $sampling == ansor ]]; then
    set -- "$@" --compile_timeout=3s  # it draws many that take LLVM minutes
  fi
  [[ -f $folder/records.log ]] ||
    "$bin/collect" --sampling="$sampling" --programs="$programs" --output_dir="$folder" "$@"
}

learned=(--model=mobilenet_v2,inception_v3,bert_base,vit,dcgan,resnet18,wide_resnet50_2,csrnet
  --operators=gmm_1,gmm_3,gmm_4,c1d,c2d,c3d_1,c3d_3,c3d_4,grp,dil,dep_1,dep_2,dep_4,t2d_1,t2d_3,t2d_4,cap,nrm,tbs_2,tbs_3,tbs_4
  --again=0)
judged=(--model=resnet50 --operators=gmm_2,c3d_2,dep_3,t2d_2,tbs_1)
collect learned_hardware hardware 45 "${learned[@]}"
collect learned_ansor ansor 30 "${learned[@]}"
collect judged_hardware hardware 260 "${judged[@]}"
collect judged_ansor ansor 260 "${judged[@]}"

judge=("$bin/evaluate" "--data=$data/judged_hardware,$data/judged_ansor" --drafts=1,5)
# From the line of all tasks, "all 32 PROGRAMS FAILED PAIRS RECALL ... TOP-1 TOP-5".
figures() { awk '/^all .* [0-9]+ +[0-9]+ +0[.]/ && !n++ { print $5, $(NF-1), $NF }'; }
row() {  # name, flags
  local name=$1
  shift
  for seed in 1 2 3 4 5; do
    "${judge[@]}" --split=none --learn_from="$data/learned_hardware,$data/learned_ansor" \
      --seed=$seed "$@" 2>/dev/null | figures
  done | awk -v name="$name" '
    { for (i = 1; i <= 3; ++i) {
        sum[i] += $i
        if (NR == 1 || $i < least[i]) least[i] = $i
        if (NR == 1 || $i > most[i]) most[i] = $i } }
    END { printf "| %s |", name
          for (i = 1; i <= 3; ++i) printf " %.3f (%.3f to %.3f) |", sum[i] / NR, least[i], most[i]
          print "" }'
}

echo '| model | pairs | top-1 | top-5 |'
echo '|---|---|---|---|'
"${judge[@]}" --scorer=draft 2>/dev/null | figures |
  awk '{ printf "| draft | %s | %s | %s |\n", $1, $2, $3 }'
row gbdt --scorer=gbdt
row mlp --scorer=mlp
row pacm --scorer=pacm
row 'pacm, rows alone' --scorer=pacm --branches=rows
row 'pacm, dataflow alone' --scorer=pacm --branches=dataflow
