#!/bin/bash
# Exit code 0 if Valkey has loaded its data and answers.
exec 3<>/dev/tcp/127.0.0.1/6379 || exit 1
printf 'PING\r\n' >&3
read -r -t 2 line <&3 && [[ $line == +PONG* ]]
