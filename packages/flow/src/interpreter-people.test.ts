import { expect, test } from 'vitest'
import { maxStepsPerInput, step } from './interpreter.ts'
import { draw, facts, flowOf, hours, linesOf, play, refuse, said, wait, write } from './interpreter-fixtures.ts'
import { compileFlow } from './program.ts'
import { holdsConversation, idleState } from './state.ts'

test('after a hand-over to people the bot goes on in silence, and asks nothing', () => {
  const flow = draw(
    {
      start: { kind: 'any_message' },
      say: { kind: 'send_text', text: 'A colleague answers soon.' },
      assign: { kind: 'assign', to: { kind: 'queue' } },
      ask: { kind: 'ask', text: 'And?', attribute: 'x' },
      tag: { kind: 'add_tag', tag: 'late' },
    },
    ['start.next>say', 'say.next>assign', 'assign.next>ask', 'ask.failed>tag'],
  )
  const done = play(flow, [write('hi')])
  // The flow has said so to the customer itself.
  expect(linesOf(done)).toEqual([
    'say A colleague answers soon.',
    'assign queue',
    'note Last message: hi',
    'add_tag late',
    'end handed_over',
  ])
  const waits = draw(
    {
      start: { kind: 'any_message' },
      assign: { kind: 'assign', to: { kind: 'queue' } },
      wait: { kind: 'wait_reply', timeoutSeconds: 60 },
    },
    ['start.next>assign', 'assign.next>wait'],
  )
  const waiting = play(waits, [write('hi')])
  expect(holdsConversation(waiting.state, waiting.now)).toBe(false)
  // The customer no longer asks the bot for a person.
  expect(linesOf(play(waits, [write('hi'), write('human')])).slice(-2)).toEqual(['wait 60', 'end handed_over'])
})

test('outside opening hours the text for them is said', () => {
  const flow = flowOf({ kind: 'assign', to: { kind: 'queue' } })
  const closed = { timeZone: 'Asia/Kolkata', spans: [{ day: 0, from: '09:00', to: '18:00' }], closedOn: [] }
  const settings = { ...facts.settings, closedText: 'We open on Sunday.' } as NonNullable<typeof facts.settings>
  expect(linesOf(play(flow, [write('hi')], { hours: closed, settings }))[0]).toBe('say We open on Sunday.')
})

test('a run keeps the conversation while it asks or pauses shortly, not over a long pause', () => {
  const after = (seconds: number) => {
    const { state, now } = play(flowOf({ kind: 'wait_time', seconds }), [write('hi')])
    return holdsConversation(state, now)
  }
  expect([after(300), after(301)]).toEqual([true, false])
  const asking = play(flowOf({ kind: 'ask', text: '?', attribute: 'x' }), [write('hi')])
  expect(holdsConversation(asking.state, asking.now)).toBe(true)
  expect(holdsConversation(idleState, 0)).toBe(false)
})

test('a question that never reached the customer is left by failed, or goes to people', () => {
  const question = { kind: 'ask', text: '?', attribute: 'x' } as const
  const input = { type: 'not_delivered', inputNo: 1 } as const
  const outcomeOf = (branches: string[]) => {
    const program = compileFlow(flowOf(question, branches))
    return step(program, step(program, idleState, said('hi'), facts).state, input, facts)
  }
  expect(outcomeOf(['failed']).trace.map(({ nodeId }) => nodeId)).toEqual(['here', 'after-failed'])
  expect(outcomeOf([]).end).toEqual({ outcome: 'handed_over' })
})

test('a refusal without a way of its own tells the customer, and gives the conversation to the one who looks after failures', () => {
  const flow = flowOf({ kind: 'add_tag', tag: 'x' })
  const settings = { ...facts.settings, failureTo: { kind: 'member', memberId: 'u7' } } as NonNullable<
    typeof facts.settings
  >
  const lines = [refuse('add_tag', 'too_many_tags'), write('hi')]
  expect(linesOf(play(flow, lines, { settings })).slice(-2)).toEqual(['assign u7', 'end failed'])
  expect(
    linesOf(play(flow, [...lines.slice(0, 1), refuse('assign', 'not_found'), write('hi')], { settings })).slice(-3),
  ).toEqual(['assign u7 !not_found', 'release attention', 'end failed'])
  // A workflow has no texts of its own.
  expect(linesOf(play(flow, lines, { settings: undefined }))).toEqual([
    'add_tag x !too_many_tags',
    'release attention',
    'end failed',
  ])
})

test('a branch without a target ends the conversation, and the next message begins anew', () => {
  const done = play(flowOf(hours(), []), [write('hi'), write('again')])
  expect(linesOf(done)).toEqual(['release', 'end completed', 'release', 'end completed'])
  expect(done.visited).toEqual(['start', 'here'])
})

test('a circle is stopped, and goes to people', () => {
  const flow = draw({ start: { kind: 'any_message' }, tag: { kind: 'add_tag', tag: 'x' } }, [
    'start.next>tag',
    'tag.next>tag',
  ])
  const result = step(compileFlow(flow), idleState, said('hi'), facts)
  expect(result.trace).toHaveLength(maxStepsPerInput)
  expect(result.end).toMatchObject({ outcome: 'loop' })
  expect(result.actions.at(-1)).toEqual({ type: 'release', attention: true })
})

test('an unfinished node ends the session in words', () => {
  const flow = draw({ start: { kind: 'any_message' }, say: { kind: 'send_text', text: '' } }, ['start.next>say'])
  expect(play(flow, [write('hi'), wait(1)]).entries.at(-1)).toEqual({
    by: 'end',
    end: { outcome: 'failed', message: 'Enter the message.' },
  })
})
