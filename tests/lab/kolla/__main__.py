# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m tests.lab.kolla FOLDER SITE VENV VAULT_PASSWORD_FILE [--renew]

Brings what a planned site needs for Kolla, certificates and the files of Ceph, and renders it; or brings newer certificates of the same CA.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .site import KollaSite

folder, site, venv, vault_password_file, *renew = sys.argv[1:]
made = KollaSite(Path(folder), Path(venv), site)
shutil.copy(vault_password_file, made.vault_password_file)
if renew == ["--renew"]:
    made.renew_certificates()
else:
    made.bring()
