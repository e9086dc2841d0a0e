import { botRecordSchema } from '@parley/contracts/automation/bots'
import { flowSchema } from '@parley/contracts/automation/flow'
import { workflowSchema } from '@parley/contracts/automation/workflows'
import { problemsOf } from '@parley/flow/problems'
import { expect, test } from 'vitest'
import { createSampleDataset } from './sample-dataset.ts'
import { workflowSummaryOf } from './workflows.ts'

const now = new Date('2026-03-09T22:15:00.000Z')
const sampleDataset = createSampleDataset({ now })
const bots = [...sampleDataset.bots.values()]
const workflows = [...sampleDataset.workflows.values()]

test('bots fit the contract; the dashboard’s two are there', () => {
  for (const bot of bots) botRecordSchema.parse(bot)
  expect([sampleDataset.bots.get('bot-1')?.name, sampleDataset.bots.get('bot-2')?.name]).toEqual([
    'Order status',
    'Welcome',
  ])
  expect(new Set(bots.map(({ status }) => status))).toEqual(new Set(['active', 'paused']))
})

test('a bot’s automation rate is the share that it resolved', () => {
  for (const { automationRate, resolved, conversations } of bots) {
    expect(resolved).toBeLessThanOrEqual(conversations)
    expect(automationRate).toBe(Math.round((100 * resolved) / conversations))
  }
})

test('every sample flow can run: its settings are complete and nothing is wrong with it', () => {
  for (const { name, draft } of [...bots, ...workflows]) {
    flowSchema.parse(draft)
    expect(problemsOf(draft), name).toEqual([])
  }
})

test('the sample flow is a keyword match, then send message, then a business-hours check', () => {
  const { nodes = [], edges = [] } = sampleDataset.bots.get('bot-1')?.draft ?? {}
  expect(nodes.map(({ settings }) => settings.kind)).toEqual(['keyword', 'send_text', 'business_hours'])
  expect(edges.map(({ source, target }) => [source, target])).toEqual([
    ['keyword', 'message'],
    ['message', 'hours'],
  ])
})

test('workflows fit the contract, and their counters add up', () => {
  for (const workflow of workflows) workflowSchema.parse(workflow)
  expect(workflowSummaryOf(workflows)).toEqual({ total: 5, active: 4, executions: 3_753, successRate: 96.9 })
  expect(workflowSummaryOf([])).toEqual({ total: 0, active: 0, executions: 0, successRate: 0 })
})

test('an empty workspace has neither', () => {
  const empty = createSampleDataset({ now, records: 0 })
  expect([empty.bots.size, empty.workflows.size]).toEqual([0, 0])
})
