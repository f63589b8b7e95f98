#!/bin/sh
# Starts a restore, and kills it as soon as the first server has made a cluster of the snapshot: the others are not back then.
set -u
ansible-playbook -i "$1" frontier.vitro.rke2_restore -e confirm=rke2 > /dev/null 2>&1 &
play=$!
for _ in $(seq 600); do
    podman exec rke2-01 test -e /var/lib/rancher/rke2/vitro-restore-snapshot && break
    kill -0 $play 2> /dev/null || { echo "it ended before it could be cut off"; exit 1; }
    sleep 0.5
done
sleep 5
kill -9 $play
echo cut off
