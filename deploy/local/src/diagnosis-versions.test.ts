import { parleyVersion } from '@parley/service-kit/core/build'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { expect, test } from 'vitest'
import { judgeVersions } from './diagnosis.ts'

test('processes that run the code of this checkout are fine', async () => {
  const texts = await Promise.all(['profile', 'messaging'].map((name) => createMetrics(name).render()))
  expect(judgeVersions(texts.map(({ text }) => text))).toEqual({
    verdict: 'ok',
    subject: 'Versions',
    finding: `all run ${parleyVersion}`,
  })
})

test('processes of another version are named with it', () => {
  const texts = ['bff', 'profile'].map((name) => `build_info{version="0.1.0",process="${name}"} 1`)
  const found = judgeVersions([...texts, 'build_info{version="0.2.0",process="messaging"} 1\n'], '0.2.0')
  expect(found).toMatchObject({
    verdict: 'problem',
    finding: 'the code here is 0.2.0, and processes run 0.1.0 (bff, profile) and 0.2.0 (messaging)',
    remedy: expect.stringContaining('npm start'),
  })
})
