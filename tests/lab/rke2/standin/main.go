// SPDX-FileCopyrightText: Vitro contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// A stand-in for the rke2 binary, for tests where the real one cannot be had.
//
// It is NOT RKE2. It links the K3s library, which real RKE2 is built on as well,
// under the program name "rke2": same configuration parser, paths, supervisor on
// 9345, token, join, embedded etcd, snapshots, restore, certificates, tokens and
// secrets encryption. What differs: the control plane runs inside this process
// and not as static pods, and no packaged charts are deployed.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/k3s-io/k3s/pkg/cli/agent"
	"github.com/k3s-io/k3s/pkg/cli/cert"
	"github.com/k3s-io/k3s/pkg/cli/cmds"
	"github.com/k3s-io/k3s/pkg/cli/completion"
	"github.com/k3s-io/k3s/pkg/cli/etcdsnapshot"
	"github.com/k3s-io/k3s/pkg/cli/secretsencrypt"
	"github.com/k3s-io/k3s/pkg/cli/server"
	"github.com/k3s-io/k3s/pkg/cli/token"
	"github.com/k3s-io/k3s/pkg/configfilearg"
	"github.com/sirupsen/logrus"
	"github.com/urfave/cli/v2"
)

func main() {
	app := cmds.NewApp()
	app.DisableSliceFlagSeparator = true
	app.Usage = "stand-in for Rancher Kubernetes Engine 2 (K3s library, test use only)"

	srv := cmds.NewServerCommand(runServer)
	srv.Flags = reshape(srv.Flags, notOnServer, append(serverOnly(), common()...))
	agt := cmds.NewAgentCommand(runAgent)
	agt.Flags = reshape(agt.Flags, notOnAgent, common())
	configfilearg.DefaultParser.ValidFlags["server"] = srv.Flags
	configfilearg.DefaultParser.ValidFlags["agent"] = agt.Flags

	app.Commands = []*cli.Command{
		srv,
		agt,
		cmds.NewEtcdSnapshotCommands(etcdsnapshot.Delete, etcdsnapshot.List, etcdsnapshot.Prune, etcdsnapshot.Save),
		cmds.NewCertCommands(cert.Check, cert.Rotate, cert.RotateCA),
		cmds.NewSecretsEncryptCommands(secretsencrypt.Status, secretsencrypt.Enable, secretsencrypt.Disable,
			secretsencrypt.Prepare, secretsencrypt.Rotate, secretsencrypt.Reencrypt, secretsencrypt.RotateKeys),
		cmds.NewTokenCommands(token.Create, token.Delete, token.Generate, token.List, token.Rotate),
		cmds.NewCompletionCommand(completion.Bash, completion.Zsh),
	}
	for _, c := range app.Commands[2:] {
		talkToSupervisor(c)
	}

	if err := app.Run(configfilearg.MustParse(os.Args)); err != nil && !errors.Is(err, context.Canceled) {
		logrus.Fatalf("Error: %v", err)
	}
}

func runServer(clx *cli.Context) error {
	if err := prepare(clx, true); err != nil {
		return err
	}
	if err := clx.Set("secrets-encryption", "true"); err != nil {
		return err
	}
	s := &cmds.ServerConfig
	s.ClusterInit = true
	s.DisableNPC = true
	s.FlannelBackend = "none"
	s.SupervisorPort = supervisorPort
	s.HTTPSPort, s.APIServerPort, s.AdvertisePort = apiPort, apiPort, apiPort
	s.APIServerBindAddress = "0.0.0.0"
	return server.Run(clx)
}

func runAgent(clx *cli.Context) error {
	if err := prepare(clx, false); err != nil {
		return err
	}
	return agent.Run(clx)
}
