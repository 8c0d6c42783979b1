"""The networks of models/zoo as PyTorch's libraries have them, by the same names, with random
weights. Needs the packages of requirements.txt."""

import torch
import torchvision
import transformers
from torch import nn
from torchvision.models import segmentation, video

SEED = 1
BERT_VOCABULARY = 30522
BERT_LENGTH = 128


def image(size):
    return lambda batch: torch.randn(batch, 3, size, size)


def tokens(length):
    return lambda batch: torch.randint(0, BERT_VOCABULARY, (batch, length))


class Outputs(nn.Module):
    """A module that answers with a dictionary, as one that answers with some of its values."""

    def __init__(self, module, *names):
        super().__init__()
        self.module = module
        self.names = names

    def forward(self, value):
        answer = self.module(value)
        return tuple(answer[name] for name in self.names)


def bert(layers, channels, heads):
    config = transformers.BertConfig(num_hidden_layers=layers, hidden_size=channels,
                                     num_attention_heads=heads, intermediate_size=4 * channels)
    return Outputs(transformers.BertModel(config), "last_hidden_state", "pooler_output")


def detr():
    config = transformers.DetrConfig(use_timm_backbone=False, use_pretrained_backbone=False,
                                     backbone=None, num_labels=91,
                                     backbone_config=transformers.ResNetConfig(
                                         out_features=["stage4"]))
    return Outputs(transformers.DetrForObjectDetection(config), "logits", "pred_boxes")


def paper_vit():
    return torchvision.models.VisionTransformer(image_size=256, patch_size=32, num_layers=6,
                                                num_heads=16, hidden_dim=1024, mlp_dim=2048)


def dcgan():
    """The generator of Radford et al., as PyTorch's example has it."""
    layers, channels = [], 100
    for number, wide in enumerate((512, 256, 128, 64)):
        stride, padding = (1, 0) if number == 0 else (2, 1)
        layers += [nn.ConvTranspose2d(channels, wide, 4, stride, padding, bias=False),
                   nn.BatchNorm2d(wide), nn.ReLU()]
        channels = wide
    return nn.Sequential(*layers, nn.ConvTranspose2d(channels, 3, 4, 2, 1, bias=False), nn.Tanh())


def csrnet():
    """The front end of VGG-16 and a dilated tail (Li et al., CVPR 2018, table 3, B)."""
    layers = list(torchvision.models.vgg16().features[:23]) + [nn.MaxPool2d(2)]
    channels = 512
    for wide in (512, 512, 512, 256, 128, 64):
        layers += [nn.Conv2d(channels, wide, 3, padding=2, dilation=2), nn.ReLU()]
        channels = wide
    return nn.Sequential(*layers, nn.Conv2d(channels, 1, 1))


NETWORKS = {
    "bert_base": (lambda: bert(12, 768, 12), tokens(BERT_LENGTH)),
    "bert_tiny": (lambda: bert(6, 512, 8), tokens(BERT_LENGTH)),
    "bert_tiny_2l": (lambda: bert(2, 128, 2), tokens(BERT_LENGTH)),
    "csrnet": (csrnet, image(224)),
    "dcgan": (dcgan, lambda batch: torch.randn(batch, 100, 1, 1)),
    "deeplabv3_resnet50": (lambda: Outputs(
        segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None), "out"), image(224)),
    "densenet121": (torchvision.models.densenet121, image(224)),
    "detr_resnet50": (detr, image(256)),
    "inception_v3": (lambda: torchvision.models.inception_v3(
        aux_logits=False, init_weights=False), image(299)),
    "mobilenet_v2": (torchvision.models.mobilenet_v2, image(224)),
    "resnet18": (torchvision.models.resnet18, image(224)),
    "resnet3d_18": (video.r3d_18, lambda batch: torch.randn(batch, 3, 16, 112, 112)),
    "resnet50": (torchvision.models.resnet50, image(224)),
    "vit": (paper_vit, image(256)),
    "vit_b_16": (torchvision.models.vit_b_16, image(224)),
    "wide_resnet50_2": (torchvision.models.wide_resnet50_2, image(224)),
}


def vary(module):
    """Gives parameters that begin all alike, such as biases and some heads, values of their own."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.min() == parameter.max():
                parameter += 0.05 * torch.randn_like(parameter)


def calibrate(module, inputs):
    """Gives batch norms the statistics of the inputs, so that activations neither vanish nor grow."""
    norms = [part for part in module.modules() if isinstance(part, nn.modules.batchnorm._BatchNorm)]
    for norm in norms:
        norm.momentum = 1.0
        norm.train()
    with torch.no_grad():
        module(inputs)
    module.eval()


def build(name, batch=1):
    """The module, ready for inference, and an input of it; the same ones each time."""
    torch.manual_seed(SEED)
    make, sample = NETWORKS[name]
    module = make().eval()
    vary(module)
    calibrate(module, sample(2))
    return module, sample(batch)
