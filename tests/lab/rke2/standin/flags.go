// SPDX-FileCopyrightText: Vitro contributors
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

const (
	apiPort        = 6443
	supervisorPort = 9345
)

// K3s flags that RKE2 does not offer: a key of that name in config.yaml is
// reported as unknown and skipped, as there.
var (
	notOnServer = words(`https-listen-port supervisor-port apiserver-port apiserver-bind-address advertise-port
		cluster-init flannel-backend flannel-iface flannel-conf flannel-cni-conf flannel-ipv6-masq flannel-external-ip
		vpn-auth vpn-auth-file kube-controller-arg kube-cloud-controller-arg kine-tls default-local-storage-path
		disable-network-policy docker image-service-endpoint pause-image rootless prefer-bundled-bin
		disable-helm-controller`)
	notOnAgent = words(`flannel-iface flannel-conf flannel-cni-conf vpn-auth vpn-auth-file docker
		image-service-endpoint pause-image rootless prefer-bundled-bin`)
)

var components = []string{"kube-apiserver", "kube-scheduler", "kube-controller-manager", "kube-proxy", "etcd", "cloud-controller-manager"}

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// serverOnly and common name the flags RKE2 adds to those of K3s. Only cni,
// ingress-controller and profile have an effect here: they are checked.
func serverOnly() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "cni", EnvVars: []string{"RKE2_CNI"}, Value: cli.NewStringSlice("canal")},
		&cli.StringSliceFlag{Name: "ingress-controller", EnvVars: []string{"RKE_INGRESS_CONTROLLER"}},
		&cli.BoolFlag{Name: "enable-servicelb", EnvVars: []string{"RKE2_ENABLE_SERVICELB"}},
	}
}

func common() []cli.Flag {
	var flags []cli.Flag
	text := func(names ...string) {
		for _, n := range names {
			flags = append(flags, &cli.StringFlag{Name: n, EnvVars: []string{env(n)}})
		}
	}
	list := func(names ...string) {
		for _, n := range names {
			flags = append(flags, &cli.StringSliceFlag{Name: n, EnvVars: []string{env(n)}})
		}
	}
	text("kube-apiserver-image", "kube-controller-manager-image", "cloud-controller-manager-image", "kube-proxy-image",
		"kube-scheduler-image", "pause-image", "runtime-image", "etcd-image", "kubelet-path", "cloud-provider-name",
		"cloud-provider-config", "audit-policy-file", "pod-security-admission-config-file")
	flags = append(flags,
		&cli.StringFlag{Name: "profile", EnvVars: []string{"RKE2_CIS_PROFILE"}},
		&cli.BoolFlag{Name: "node-name-from-cloud-provider-metadata"})
	list("control-plane-resource-requests", "control-plane-resource-limits", "control-plane-probe-configuration")
	for _, c := range components {
		list(c+"-extra-mount", c+"-extra-env")
	}
	return flags
}

func env(flag string) string {
	return "RKE2_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// reshape leaves out the flags in drop and appends those in add.
func reshape(flags []cli.Flag, drop map[string]bool, add []cli.Flag) []cli.Flag {
	var kept []cli.Flag
	for _, f := range flags {
		if !drop[f.Names()[0]] {
			kept = append(kept, f)
		}
	}
	return append(kept, add...)
}

// talkToSupervisor points the commands that ask a running server at its supervisor port.
func talkToSupervisor(c *cli.Command) {
	for _, f := range c.Flags {
		if s, ok := f.(*cli.StringFlag); ok && strings.HasSuffix(s.Value, fmt.Sprint(":", apiPort)) {
			s.Value = fmt.Sprint("https://127.0.0.1:", supervisorPort)
		}
	}
	for _, sub := range c.Subcommands {
		talkToSupervisor(sub)
	}
}
