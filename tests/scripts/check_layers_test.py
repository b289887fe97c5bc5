"""check_layers.py must find what it is there to find: each test plants one fault in a small tree."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_layers.py"
TREE = {
    "sim/core/CMakeLists.txt": "berth_library(berth_core\n  SOURCES time.cpp)\n",
    "sim/core/time.hpp": "#include <cstdint>\n",
    "sim/core/time.cpp": '#include "sim/core/time.hpp"\n',
    "sim/cluster/CMakeLists.txt": "berth_library(berth_cluster\n  SOURCES cluster.cpp\n  DEPENDS berth_core)\n",
    "sim/cluster/cluster.hpp": '#include "sim/core/time.hpp"\n',
    "policies/CMakeLists.txt": "berth_library(berth_policies\n  SOURCES fifo.cpp\n  DEPENDS berth_cluster)\n",
    "policies/orders/fifo.cpp": '#include "sim/cluster/cluster.hpp"\n#include "sim/core/time.hpp"\n',
    "tests/fifo_test.cpp": '#include "sim/core/time.hpp"\n',
}


class CheckLayers(unittest.TestCase):
    def run_on(self, **planted):
        """Output and status on the good tree with the given files added or replaced."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**TREE, **planted}.items():
                file = Path(root, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            return done.stdout, done.returncode

    def expect(self, message, **planted):
        out, status = self.run_on(**planted)
        self.assertIn(message, out)
        self.assertEqual(status, 1)

    def test_a_good_tree_passes(self):
        out, status = self.run_on()
        self.assertEqual((out, status), ("check_layers: all arrows point down\n", 0))

    def test_upward_include(self):
        self.expect('sim/core/time.hpp:2: sim/core must not include "sim/cluster/cluster.hpp"',
                    **{"sim/core/time.hpp": '\n#include "sim/cluster/cluster.hpp"\n'})

    def test_sideways_include(self):
        self.expect('policies/fifo.cpp:1: policies must not include "workloads/acme.hpp"',
                    **{"policies/fifo.cpp": '#include "workloads/acme.hpp"\n', "workloads/acme.hpp": ""})

    def test_path_not_from_the_root(self):
        self.expect('sim/core/time.cpp:1: "time.hpp" is not a file',
                    **{"sim/core/time.cpp": '#include "time.hpp"\n'})

    def test_missing_file(self):
        self.expect('tests/fifo_test.cpp:1: "sim/core/tyme.hpp" is not a file',
                    **{"tests/fifo_test.cpp": '#include "sim/core/tyme.hpp"\n'})

    def test_upward_link(self):
        self.expect("sim/core/CMakeLists.txt:1: berth_core (sim/core) must not link berth_cluster",
                    **{"sim/core/CMakeLists.txt": "berth_library(berth_core SOURCES time.cpp DEPENDS berth_cluster)\n"})

    def test_include_without_link(self):
        self.expect('sim/cluster/cluster.hpp:1: "sim/core/time.hpp" is included, but the library',
                    **{"sim/cluster/CMakeLists.txt": "berth_library(berth_cluster SOURCES cluster.cpp)\n"})


if __name__ == "__main__":
    unittest.main()
