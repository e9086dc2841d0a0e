import type { TranscriptLine } from '@parley/contracts/automation/flow-tests'
import type { ChainEntry } from '@parley/contracts/automation/replays'
import type { Outcome, StepResult } from './actions.ts'
import { wordsOf } from './answers.ts'
import type { FlowInput } from './inputs.ts'
import { stopOf, type TranscriptEntry } from './play-script.ts'
import { firstLineDifference, transcriptLines } from './transcript-lines.ts'

/** Tells one step in entries: what came, the nodes that were passed with what they did, and where it stopped. */
export function chainOf(
  input: FlowInput,
  { result, outcomes, now }: { result: StepResult; outcomes: readonly Outcome[]; now: number },
): ChainEntry[] {
  const came = { lines: inputLines(input) }
  if (!result.consumed) {
    const because = result.state.status === 'waiting' ? 'waiting' : 'no_trigger'
    return [came, { lines: transcriptLines([{ by: 'passed', because }]) }]
  }
  let index = 0
  const nodes = result.trace.map(({ nodeId, branch, actions }): ChainEntry => {
    const done = result.actions.slice(index, index + actions).map((action, offset): TranscriptEntry => {
      const { outcome, code = 'refused' } = outcomes[index + offset] ?? {}
      return { by: 'bot', action, nodeId, ...(outcome === 'refused' && { refused: code }) }
    })
    index += actions
    return { nodeId, ...(branch !== undefined && { branch }), lines: transcriptLines(done) }
  })
  const stop = transcriptLines(stopOf(result, now))
  return [came, ...nodes, ...(stop.length > 0 ? [{ lines: stop }] : [])]
}

function inputLines(input: FlowInput): TranscriptLine[] {
  switch (input.type) {
    case 'message':
      return transcriptLines(
        input.parts.map((part) => ({
          by: 'customer' as const,
          text: wordsOf(part),
          contentType: part.contentType,
        })),
      )
    case 'event':
      return [{ by: 'event', text: input.event }]
    case 'http_answer':
      return [{ by: 'event', text: `http_answer ${input.result}` }]
    default:
      return [{ by: 'event', text: input.type }]
  }
}

/** The way of an entry, whatever is said on it: its node with the branch, how it ends, or for what it waits. */
function wayOf({ nodeId, branch = '', lines }: ChainEntry): string {
  if (nodeId !== undefined) return `${nodeId}>${branch}`
  return lines.map(({ by, text }) => (by === 'wait' ? `${by} ${text.split(' ')[0]}` : `${by} ${text}`)).join('\n')
}

interface Difference {
  readonly kind: 'differs' | 'words'
  readonly at: number
  readonly nodeId: string | undefined
}

/** Finds where two chains part, or else where the first word is another one; `undefined` where they are equal. */
export function chainDifference(one: readonly ChainEntry[], other: readonly ChainEntry[]): Difference | undefined {
  const length = Math.max(one.length, other.length)
  const differAt = (isEqual: (left: ChainEntry, right: ChainEntry) => boolean) => {
    for (let at = 0; at < length; at += 1) {
      const [left, right] = [one[at], other[at]]
      if (!left || !right || !isEqual(left, right)) return at
    }
    return undefined
  }
  const nodeAt = (at: number) => one[at]?.nodeId ?? other[at]?.nodeId ?? one[at - 1]?.nodeId
  const parted = differAt((left, right) => wayOf(left) === wayOf(right))
  if (parted !== undefined) return { kind: 'differs', at: parted, nodeId: nodeAt(parted) }
  const said = differAt((left, right) => firstLineDifference(left.lines, right.lines) === undefined)
  return said === undefined ? undefined : { kind: 'words', at: said, nodeId: nodeAt(said) }
}
