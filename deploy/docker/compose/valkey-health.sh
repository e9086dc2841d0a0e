#!/bin/bash
# Exit code 0 if Valkey or Redis has loaded its data and answers. The user may ask for nothing else, and any password will do.
exec 3<>/dev/tcp/127.0.0.1/6379 || exit 1
printf 'AUTH health any\r\nPING\r\n' >&3
read -r -t 2 line <&3 && [[ $line == +OK* ]] && read -r -t 2 line <&3 && [[ $line == +PONG* ]]
