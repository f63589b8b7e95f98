#!/bin/sh
# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# ipmi_sim calls this to read and change the chassis and the LAN settings of one BMC, which are files in DIR:
#   control.sh DIR get KEY... | set KEY VALUE... | check KEY VALUE...
dir=$1 op=$2
shift 2
case $op in
    get)
        for key; do
            if [ -f "$dir/$key" ]; then echo "$key:$(cat "$dir/$key")"; continue; fi
            case $key in
                *mac_addr) echo "$key:00:00:00:00:00:00" ;;
                boot) echo "boot:none" ;;
                *) echo "$key:0.0.0.0" ;;
            esac
        done ;;
    set)
        while [ $# -ge 2 ]; do
            echo "$2" >"$dir/$1"
            shift 2
        done ;;
esac
exit 0
