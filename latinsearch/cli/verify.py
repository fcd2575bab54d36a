"""`latinsearch verify`: whether a saved index is whole."""

from __future__ import annotations

from pathlib import Path

import click

from latinsearch.cli.options import PATH
from latinsearch.cli.terminal import waiting


@click.command("verify", short_help="Check every file of a saved index.")
@click.argument("folder", metavar="DIR", type=PATH)
def verify_index(folder: Path) -> None:
    """Read every file of an index and name all that is damaged; exit code 2 if anything is.

    A search checks what it uses; this checks everything: sizes and checksums, the passages against their ids, the counts
    against the words, the weights against the counts.

    \b
    Example:
      latinsearch verify aeneid-index
    """
    from latinsearch.damage import damages
    from latinsearch.records import InputError
    from latinsearch.storage import files_in, read_meta

    with waiting(f"checking {folder}"):
        found = damages(folder)
    for fault in found:
        click.echo(fault)
    if found:
        raise InputError(f"{folder} is damaged: {len(found)} faults" if len(found) > 1 else f"{folder} is damaged")
    meta, names = read_meta(folder), files_in(folder)
    size = sum((folder / name).stat().st_size for name in names)
    click.echo(f"{folder} is whole: {len(names)} files, {size / 1e6:,.2f} MB, {meta['counts']['passages']:,} passages")
    click.echo(meta["signature"])
