import { spawn } from 'node:child_process'

/**
 * Waits for the end of its standard input, which comes when the launcher is gone however it went, then ends every child in
 * the record. A shell, so that it costs next to nothing while it waits.
 */
const script = `
cat >/dev/null
[ -f "$1" ] || exit 0
pids=$(cut -f1 "$1")
[ -n "$pids" ] && kill -TERM $pids 2>/dev/null
tries=0
while [ $tries -lt 100 ] && [ -n "$pids" ] && kill -0 $pids 2>/dev/null; do sleep 0.1; tries=$((tries + 1)); done
[ -n "$pids" ] && kill -KILL $pids 2>/dev/null
[ -n "$2" ] && rm -rf "$2"
exit 0
`

/**
 * Starts the process that ends the children should this launcher be killed outright.
 * @param removeAfter a throw-away folder to remove then.
 * @returns a function that dismisses it: to be called once all children have stopped.
 */
export function startKeeper(childrenFile: string, removeAfter?: string): () => void {
  const keeper = spawn('/bin/sh', ['-c', script, 'parley-keeper', childrenFile, removeAfter ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell there is no keeper; the next start finds what is left.
  keeper.on('error', () => {})
  keeper.stdin?.on('error', () => {})
  keeper.unref()
  return () => {
    keeper.kill('SIGKILL')
    keeper.stdin?.destroy()
  }
}
