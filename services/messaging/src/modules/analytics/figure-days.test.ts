import { createLogger } from '@parley/service-kit/core/logger'
import { expect, test } from 'vitest'
import { createFigureDays } from './figure-days.ts'

test('a recount that fails keeps neither the weekly report nor the days to come, and its job fails', async () => {
  const done: string[] = []
  const { perform } = createFigureDays({
    figures: {
      due: async () => [],
      looked: async () => void done.push('looked') as never,
      storeSnapshot: async () => void done.push('snapshot'),
    },
    campaignRecords: { countActive: async () => 0 },
    contactRecords: { countActiveSince: async () => 0 },
    metrics: { countDifference: () => done.push('difference') },
    recountFigures: async () => {
      throw new Error('too much for one transaction')
    },
    tellWeek: async () => void done.push('week'),
    logger: createLogger({ name: 'test', level: 'silent' }),
  })
  await expect(perform({ id: 'j', workspaceId: 'w' })).rejects.toThrow('too much')
  expect(done).toEqual(['snapshot', 'week', 'looked'])
})
