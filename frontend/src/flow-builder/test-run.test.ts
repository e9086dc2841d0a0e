import type { DraftFlow } from '@parley/contracts/automation/flow'
import { defaultSettings } from '@parley/flow/state'
import { expect, test } from 'vitest'
import { starterFlows } from './starter-flows.ts'
import { entriesOf, give, startRun, type TestRun, waitMs, written } from './test-run.ts'

const mondayNoon = Date.parse('2026-03-09T06:30:00.000Z')
const names = { bots: [], templates: [], members: [] }
const lines = (run: TestRun) => entriesOf(run, names).map(({ by, text }) => `${by}: ${text}`)

test('the sample flow answers a keyword, checks the hours and ends', () => {
  const run = give(starterFlows.sample, startRun('bot', mondayNoon), written('Hello there'))
  expect(lines(run)).toEqual([
    'customer: Hello there',
    'bot: Hi Asha! How can we help you today?',
    'note: The conversation with the bot is over.',
  ])
  expect(run.state.nodeId).toBe('node-3')
})

test('what no trigger answers to is said', () => {
  const run = give(starterFlows.sample, startRun('bot', mondayNoon), written('Bye'))
  expect(lines(run)).toEqual(['customer: Bye', 'note: No trigger matches that.'])
})

test('time only passes when it is told to', () => {
  const [trigger, message] = starterFlows.workflow.nodes
  if (!trigger || !message) throw new Error('The starter has two nodes and more.')
  const flow: DraftFlow = {
    format: 2,
    nodes: [
      trigger,
      { ...message, id: 'wait', type: 'delay' as const, settings: { kind: 'wait_time', seconds: 7200 } },
      message,
    ],
    edges: [
      { id: 'a', source: trigger.id, target: 'wait', branch: 'next' },
      { id: 'b', source: 'wait', target: message.id, branch: 'next' },
    ],
  }
  const waiting = give(flow, startRun('workflow', mondayNoon), { type: 'event', event: 'contact.created' })
  expect([waitMs(waiting), lines(waiting).at(-1)]).toEqual([7_200_000, 'note: Waits 2 hours'])
  const early = give(flow, waiting, { type: 'wait', seconds: 3600 })
  expect([early.state.nodeId, waitMs(early), early.entries.length]).toEqual(['wait', 3_600_000, 2])
  const over = give(flow, early, { type: 'wait', seconds: waitMs(early) / 1000 })
  expect(lines(over)).toContain('bot: Welcome, Asha!')
  expect(waitMs(over)).toBe(0)
})

test('a node that is not finished is a problem, in words', () => {
  const nodes = starterFlows.sample.nodes.map((node) =>
    node.id === 'node-2' ? { ...node, settings: { kind: 'send_text', text: '' } } : node,
  )
  const run = give({ ...starterFlows.sample, nodes }, startRun('bot', mondayNoon), written('hi'))
  expect(lines(run).at(-1)).toBe('problem: The flow stopped. Enter the message.')
})

test('fragments, media and refusals run as they do on the server', () => {
  const [trigger, message] = starterFlows.sample.nodes
  if (!trigger || !message) throw new Error('The starter has two nodes and more.')
  const ask = { kind: 'ask', text: 'What is broken?', attribute: 'fault' }
  const flow: DraftFlow = {
    format: 2,
    nodes: [trigger, { ...message, settings: ask }],
    edges: [{ id: 'a', source: trigger.id, target: message.id, branch: 'next' }],
  }
  const asked = give(flow, startRun('bot', mondayNoon), written('hi'))
  const unfit = give(flow, asked, { type: 'message', parts: [{ contentType: 'image', text: '' }] })
  expect(lines(unfit).slice(-2)).toEqual(['customer: [image]', 'bot: What is broken?'])
  const answered = give(flow, unfit, written('the lid\n\n and the handle '))
  expect(lines(answered).slice(-4)).toEqual([
    'customer: the lid',
    'customer: and the handle',
    'note: fault is now “the lid\nand the handle”',
    'note: The conversation with the bot is over.',
  ])
  const refused = give(
    flow,
    give(flow, asked, { type: 'refuse', action: 'set_attribute', code: 'quota' }),
    written('x'),
  )
  expect(lines(refused).slice(-4)).toEqual([
    'bot: Something went wrong on our side. A colleague will answer here.',
    'note: Note for the team: A step of the bot was refused: quota.\nLast message: x',
    'note: The conversation waits for a person',
    'problem: The flow stopped. A step of the bot was refused: quota.',
  ])
  expect(lines(give(flow, asked, written('a human please'))).at(-1)).toBe(
    'note: The conversation with the bot is over: a person answers.',
  )
})

test('the bot’s own settings and the workspace’s hours count, and the customer of the last run stays', () => {
  const [trigger] = starterFlows.sample.nodes
  if (!trigger) throw new Error('The starter has a trigger.')
  const assign = {
    ...trigger,
    id: 'assign',
    type: 'action' as const,
    settings: { kind: 'assign', to: { kind: 'queue' } },
  }
  const flow: DraftFlow = {
    format: 2,
    nodes: [trigger, assign],
    edges: [{ id: 'a', source: trigger.id, target: 'assign', branch: 'next' }],
  }
  const settings = { ...defaultSettings, handOverText: 'One moment, {{first_name}}.', closedText: 'We are closed.' }
  const person = { name: 'Meera Das', tags: [], attributes: {} }
  const hours = { timeZone: 'Asia/Kolkata', spans: [{ day: 0, from: '09:00', to: '18:00' }], closedOn: [] }
  expect(lines(give(flow, startRun('bot', mondayNoon, { settings, person }), written('hi')))[1]).toBe(
    'bot: One moment, Meera.',
  )
  expect(lines(give(flow, startRun('bot', mondayNoon, { settings, hours }), written('hi')))[1]).toBe(
    'bot: We are closed.',
  )
})
