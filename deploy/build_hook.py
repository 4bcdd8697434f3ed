"""What hatchling calls when queuecast is installed: compiles the engine where that is possible."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
import compile_engine


class CompiledEngine(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles in place for an editable install, else into the wheel; never fails an install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before hatchling collects the files."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        if version == "editable":
            self._build(root, root)
            return
        self.scratch = tempfile.TemporaryDirectory()
        target = Path(self.scratch.name)
        if self._build(root, target):
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        made = [file for file in target.rglob("*") if file.is_file()]
        build_data["force_include"] |= {str(f): str(f.relative_to(target)) for f in made}

    def _build(self, root: Path, target: Path) -> bool:
        try:
            failure = compile_engine.build(root, target)
        except OSError as error:
            failure = str(error)
        if failure:
            self.app.display_warning(f"The engine will run as plain Python, because {failure}.")
        return not failure
