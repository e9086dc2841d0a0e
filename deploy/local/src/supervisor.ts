import { spawn } from 'node:child_process'
import { stopLimitSeconds } from '@parley/processes/stop'

/**
 * Reads lines of process ids, of which the last one counts. When its input ends, which it does however the launcher went, it ends
 * those processes. A shell, so that it costs next to nothing while it waits.
 */
const script = `
while read -r line; do pids=$line; done
[ -n "$pids" ] && kill -TERM $pids 2>/dev/null
tries=0
while [ $tries -lt "$2" ] && [ -n "$pids" ] && kill -0 $pids 2>/dev/null; do sleep 0.1; tries=$((tries + 1)); done
[ -n "$pids" ] && kill -KILL $pids 2>/dev/null
[ -n "$1" ] && rm -rf "$1"
exit 0
`

export interface Supervisor {
  /** Passes on which processes run now. */
  readonly watch: (pids: readonly number[]) => void
  /** Ends it once all children have stopped. */
  readonly dismiss: () => void
}

/**
 * Starts the process that ends the children should this launcher be killed outright.
 * @param removeAfter a throw-away folder to remove then.
 */
export function startSupervisor(removeAfter?: string): Supervisor {
  const supervisor = spawn(
    '/bin/sh',
    ['-c', script, 'parley-keeper', removeAfter ?? '', String(stopLimitSeconds * 10)],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  // No keeper runs where there is no shell; the next start finds the remaining processes.
  supervisor.on('error', () => {})
  supervisor.stdin.on('error', () => {})
  supervisor.unref()
  return {
    watch: (pids) => void supervisor.stdin.write(`${pids.join(' ')}\n`),
    dismiss: () => {
      supervisor.kill('SIGKILL')
      supervisor.stdin.destroy()
    },
  }
}
