/** Does `work` `count` times, `atOnce` at a time. @returns how many a second. */
export async function inTurns(
  { count, atOnce }: { count: number; atOnce: number },
  work: (turn: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return (count / (performance.now() - startedAt)) * 1000
}
