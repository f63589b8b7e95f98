// SPDX-FileCopyrightText: Vitro contributors
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/k3s-io/k3s/pkg/agent/templates"
	"github.com/k3s-io/k3s/pkg/cli/cmds"
	"github.com/k3s-io/k3s/pkg/version"
	"github.com/rancher/wharfie/pkg/extract"
	"github.com/rancher/wharfie/pkg/tarfile"
	"github.com/sirupsen/logrus"
	"github.com/urfave/cli/v2"
)

// Set at link time, like the image names of a real release.
var (
	runtimeRepo = "rancher/rke2-runtime"
	pauseImage  = "rancher/mirrored-pause:lab"
)

var kernelWants = map[string]string{
	"vm/overcommit_memory": "1",
	"vm/panic_on_oom":      "0",
	"kernel/panic":         "10",
	"kernel/panic_on_oops": "1",
}

// prepare does what has to happen before K3s takes over: judge the profile and
// the network choices, and unpack the runtime image from the air-gap folder.
func prepare(clx *cli.Context, isServer bool) error {
	if err := judgeProfile(clx, isServer); err != nil {
		return err
	}
	if isServer {
		if err := oneOf(clx, "cni", "none", "calico", "canal", "cilium", "flannel", "multus"); err != nil {
			return err
		}
		if err := oneOf(clx, "ingress-controller", "none", "ingress-nginx", "traefik"); err != nil {
			return err
		}
	}
	cmds.AgentConfig.PauseImage = pauseImage
	if p := clx.String("pause-image"); p != "" {
		cmds.AgentConfig.PauseImage = p
	}
	dataDir := clx.String("data-dir")
	if dataDir == "" {
		dataDir = "/var/lib/rancher/" + version.Program
	}
	if err := sparePermission(dataDir); err != nil {
		return err
	}
	bin, err := unpackRuntime(dataDir)
	if err != nil {
		return err
	}
	if isServer {
		if err := copyManifests(filepath.Join(filepath.Dir(bin), "charts"), filepath.Join(dataDir, "server", "manifests")); err != nil {
			return err
		}
	}
	return os.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}

func oneOf(clx *cli.Context, flag string, valid ...string) error {
	for _, v := range clx.StringSlice(flag) {
		for _, item := range strings.Split(v, ",") {
			if !slices.Contains(valid, item) {
				return fmt.Errorf("invalid value %s for --%s flag: must be one of %s", item, flag, strings.Join(valid, ","))
			}
		}
	}
	return nil
}

func judgeProfile(clx *cli.Context, isServer bool) error {
	profile := clx.String("profile")
	var problems []error
	switch profile {
	case "":
		logrus.Warn("not running in CIS mode")
		return nil
	case "cis":
		for key, want := range kernelWants {
			got, err := os.ReadFile("/proc/sys/" + key)
			if err != nil {
				return err
			}
			if v := strings.TrimSpace(string(got)); v != want {
				problems = append(problems, fmt.Errorf("invalid kernel parameter value %s=%s - expected %s", strings.ReplaceAll(key, "/", "."), v, want))
			}
		}
		if clx.IsSet("protect-kernel-defaults") && !clx.Bool("protect-kernel-defaults") {
			problems = append(problems, errors.New("--protect-kernel-defaults must be true when using --profile=cis"))
		} else if err := clx.Set("protect-kernel-defaults", "true"); err != nil {
			return err
		}
	case "etcd":
	default:
		return errors.New("invalid value provided for --profile flag")
	}
	if isServer {
		if _, err := user.Lookup("etcd"); err != nil {
			problems = append(problems, fmt.Errorf("missing required: %w", err))
		}
		if _, err := user.LookupGroup("etcd"); err != nil {
			problems = append(problems, fmt.Errorf("missing required: %w", err))
		}
	}
	return errors.Join(problems...)
}

// sparePermission lets pods start where CAP_SYS_RESOURCE is missing (lab hosts):
// runc may not lower an OOM score there. An own containerd template wins.
func sparePermission(dataDir string) error {
	const bit = 24
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	var caps uint64
	for _, line := range strings.Split(string(status), "\n") {
		if v, ok := strings.CutPrefix(line, "CapEff:"); ok {
			if _, err := fmt.Sscanf(strings.TrimSpace(v), "%x", &caps); err != nil {
				return err
			}
		}
	}
	path := filepath.Join(dataDir, "agent", "etc", "containerd", "config-v3.toml.tmpl")
	if _, err := os.Stat(path); err == nil || caps>>bit&1 == 1 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	text := strings.ReplaceAll(templates.ContainerdConfigTemplateV3, ".IsRunningInUserNS", "true")
	return os.WriteFile(path, []byte(text), 0o600)
}

// unpackRuntime takes bin/ and charts/ out of the runtime image in
// agent/images once per version and leaves dataDir/bin pointing at them.
func unpackRuntime(dataDir string) (string, error) {
	tag := strings.ReplaceAll(version.Version, "+", "-")
	ref, err := name.ParseReference(runtimeRepo + ":" + tag)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(ref.String()))
	base := filepath.Join(dataDir, "data", tag+"-"+hex.EncodeToString(sum[:])[:12])
	bin := filepath.Join(base, "bin")
	if _, err := os.Stat(bin); err != nil {
		images := filepath.Join(dataDir, "agent", "images")
		img, err := tarfile.FindImage(images, ref)
		if err != nil {
			return "", fmt.Errorf("runtime image %s is not in %s and there is no registry to pull it from: %w", ref.Name(), images, err)
		}
		if img == nil {
			return "", fmt.Errorf("runtime image %s is not in %s and there is no registry to pull it from", ref.Name(), images)
		}
		if err := extract.ExtractDirs(img, map[string]string{"/bin": bin, "/charts": filepath.Join(base, "charts")}); err != nil {
			return "", err
		}
		if err := os.Chmod(bin, 0o755); err != nil {
			return "", err
		}
	}
	link := filepath.Join(dataDir, "bin")
	_ = os.RemoveAll(link)
	_ = os.Symlink(bin, link)
	return bin, nil
}

// copyManifests rewrites the packaged manifests at each start, as RKE2 does.
func copyManifests(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err != nil {
		return err
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(f)), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
