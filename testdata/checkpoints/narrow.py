"""Writes narrow.pth, as Pruner's authors save checkpoints of PaCM, and prints scores.

    python3 testdata/checkpoints/narrow.py testdata/checkpoints/narrow.pth

It needs PyTorch and nothing else. The network is PaCM of docs/algorithms.md B4 made of PyTorch's own
modules, which have the names that the authors gave them, with rows of 5 columns, blocks of 3 and a width
of 4. Its numbers repeat, so that the file packs well.
"""

import sys

import torch
from torch import nn

COLUMNS, BLOCK_COLUMNS, WIDTH, ENCODED = 5, 3, 4, 128
BLOCKS = 8


def encoder(columns: int, hidden: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(columns, hidden), nn.ReLU(), nn.Linear(hidden, width), nn.ReLU())


def layer(columns: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(columns, width), nn.ReLU())


class Pacm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.segment_encoder = encoder(COLUMNS, WIDTH, WIDTH)
        self.norm = nn.BatchNorm1d(WIDTH)
        self.fuse = layer(WIDTH + ENCODED, WIDTH)
        self.l0 = layer(WIDTH, WIDTH)
        self.l1 = layer(WIDTH, WIDTH)
        self.gemm_encoder = encoder(BLOCK_COLUMNS, ENCODED // 2, ENCODED)
        self.attention = nn.MultiheadAttention(ENCODED, 4)
        self.decoder = nn.Linear(WIDTH, 1)

    def forward(self, rows: list[torch.Tensor], blocks: torch.Tensor) -> torch.Tensor:
        statements = torch.stack([self.segment_encoder(of_program).sum(0) for of_program in rows])
        encoded = self.gemm_encoder(blocks).transpose(0, 1)
        attended = self.attention(encoded, encoded, encoded)[0] + encoded
        hidden = self.norm(self.fuse(torch.cat([statements, attended.sum(0)], dim=1)))
        hidden = self.l0(hidden) + hidden
        hidden = self.l1(hidden) + hidden
        return self.decoder(hidden).squeeze(1)


def pattern(count: int, step: int, modulus: int) -> torch.Tensor:
    return (torch.arange(count) * step % modulus).float() / modulus


def fill(network: Pacm) -> None:
    for number, tensor in enumerate(network.state_dict().values()):
        if tensor.is_floating_point():
            values = pattern(tensor.numel(), 5 + number % 3, 17) - 0.45
            if tensor.dim() == 1:
                values = values.abs() + 0.1  # variances among them
            else:
                values = 3 * values / tensor.size(1) ** 0.5
            tensor.copy_(values.view_as(tensor))


def main() -> None:
    network = Pacm().eval()
    fill(network)
    torch.save(network.state_dict(), sys.argv[1])
    # Of 3 programs of 1, 2 and 3 rows; published_checkpoint_test.cc has the same.
    rows = [pattern((p + 1) * COLUMNS, 3 + p, 11).view(p + 1, COLUMNS) for p in range(3)]
    blocks = torch.stack(
        [pattern(BLOCKS * BLOCK_COLUMNS, 3 + p, 7).view(BLOCKS, BLOCK_COLUMNS) for p in range(3)]
    )
    with torch.no_grad():
        print(network(rows, blocks).tolist())


if __name__ == "__main__":
    main()
