// How far proposals lie from each other, for tests.
#ifndef PRUNER_SEARCH_GENE_DISTANCE_H_
#define PRUNER_SEARCH_GENE_DISTANCE_H_

#include <cstddef>

#include "pruner/search/search_policy.h"
#include "pruner/sketch/candidate.h"

namespace pruner {

// How many of the values of two lines of genes differ; 1000 if they are of
// different sketches. Both have genes.
inline size_t GeneDistance(const Proposal& a, const Proposal& b) {
  const Genes genes_a = ParseGenes(a.genes).value();
  const Genes genes_b = ParseGenes(b.genes).value();
  if (genes_a.derivation != genes_b.derivation) return 1000;
  size_t distance = 0;
  for (size_t i = 0; i < genes_a.values.size(); ++i)
    distance += genes_a.values[i] != genes_b.values[i];
  return distance;
}

}  // namespace pruner

#endif  // PRUNER_SEARCH_GENE_DISTANCE_H_
