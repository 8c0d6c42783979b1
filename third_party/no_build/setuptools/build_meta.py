"""A build backend that builds nothing.

`pip download` asks a source archive's build backend for its metadata, for which it would
install whatever versions the archive requires and run them and its setup.py: code that
nobody has pinned. With this in their place (--no-build-isolation, PYTHONPATH) no code of
the archive runs, nor of anybody else.
"""

import email
import pathlib


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    del config_settings
    content = pathlib.Path("PKG-INFO").read_bytes()
    fields = email.message_from_bytes(content)
    name = fields["Name"].replace("-", "_")
    info = pathlib.Path(metadata_directory, f"{name}-{fields['Version']}.dist-info")
    info.mkdir()
    (info / "METADATA").write_bytes(content)
    return info.name
