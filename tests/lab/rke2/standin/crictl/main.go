// SPDX-FileCopyrightText: Vitro contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// crictl as a program of its own: the K3s fork ships it as a library.
package main

import "sigs.k8s.io/cri-tools/cmd/crictl"

func main() { crictl.Main() }
