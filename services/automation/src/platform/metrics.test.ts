import { createMetrics } from '@parley/service-kit/core/metrics'
import { expect, test } from 'vitest'
import { createAutomationMetrics } from './metrics.ts'

test('what people have to look at is counted by why; what messaging has refused is one kind, whatever its code', async () => {
  const metrics = createMetrics('automation-test')
  const { countAttention } = createAutomationMetrics(metrics)
  for (const code of ['apply_failed', 'window_closed', 'quota_reached']) countAttention(code)
  const text = await metrics.registry.metrics()
  expect(text).toMatch(/attention_raised_total\{code="apply_failed".*\} 1\n/)
  expect(text).toMatch(/attention_raised_total\{code="refused".*\} 2\n/)
})

test('decisions of workflows on events are counted by what came of them', async () => {
  const metrics = createMetrics('automation-test')
  const { countDecision } = createAutomationMetrics(metrics)
  for (const result of ['started', 'enrolled', 'enrolled']) countDecision(result)
  expect(await metrics.registry.metrics()).toMatch(/workflow_decisions_total\{result="enrolled".*\} 2\n/)
})
