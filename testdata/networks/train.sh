#!/bin/bash
# Trains cpu.network anew, on one core that does without AVX-512:
#   bazel run -c opt //:install -- FOLDER
#   testdata/networks/train.sh FOLDER/bin DATA
# DATA is made; what is there already is not measured again. 20 minutes.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$1
data=$2
where=(--target="$here/avx2_1c.txtpb" --threads=1)

folders=()
tune() {  # model, trials: what searches find
  folders+=("$data/$1")
  "$bin/tune" "${where[@]}" --model="$1" --trials="$2" --cost_model=pacm --pretrained=none \
    --race=0 --output_dir="$data/$1"
}
tune resnet50 1500
tune mobilenet_v2 1000
tune inception_v3 800
tune bert_base 600

# What is drawn at random.
"$bin/collect" "${where[@]}" --operators=gmm,c1d,c2d,c3d,grp,dil,dep,t2d,cap,nrm,tbs \
  --programs=50 --again=0 --compile_timeout=3s --output_dir="$data/operators"
folders+=("$data/operators")

"$bin/pretrain" --data="$(IFS=,; echo "${folders[*]}")" --cost_model=pacm \
  --output="$here/cpu.network"
