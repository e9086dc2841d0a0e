import { Readable } from 'node:stream'
import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { momentOf } from '@parley/contracts/core/zoned-time'
import { priceOf } from '@parley/contracts/usage/rate-cards'
import { byteOrderMark, csvLine, lineEnd } from '@parley/rules/csv-cells'
import { batchesOf } from '@parley/service-kit/data/batches'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { BegunCard, RateCards } from '../rate-cards/rate-cards.service.ts'
import type { createUsage, Usage } from './usage.ts'

const batchSize = 1000
const microsInUnit = 1_000_000

interface Named {
  readonly id: string
  readonly name: string
}

interface Dependencies {
  readonly usage: Pick<ReturnType<typeof createUsage>, 'between'>
  readonly rateCards: Pick<RateCards, 'from'>
  readonly readHours: (scope: WorkspaceScope) => Promise<Pick<SendingHours, 'zone'>>
  readonly campaignRecords: {
    readonly readMany: (scope: WorkspaceScope, ids: readonly string[]) => PromiseLike<readonly Named[]>
  }
}

/** Downloads what WhatsApp has charged for, message by message, read while it is sent. It names no person. */
export function createEntriesDownload({ usage, rateCards, readHours, campaignRecords }: Dependencies) {
  /** @param span days of the workspace's zone: the first one, and the first one after it. */
  return async (scope: WorkspaceScope, span: { from: string; to: string }): Promise<FileAnswer> => {
    const { zone } = await readHours(scope)
    const [from, to] = [midnightOf(span.from, zone), midnightOf(span.to, zone)]
    const cards = await rateCards.from(scope, from)
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    async function* lines() {
      yield byteOrderMark + csvLine(headerOf(zone)) + lineEnd
      for await (const batch of batchesOf(usage.between(scope, { from, to }), batchSize)) {
        const ids = new Set(batch.flatMap(({ campaignId }) => campaignId ?? []))
        const campaigns = await campaignRecords.readMany(scope, [...ids].filter(isId))
        const names = new Map(campaigns.map(({ id, name }) => [id, name]))
        const nameOf = ({ campaignId }: Usage) =>
          campaignId === undefined ? '' : (names.get(campaignId) ?? '(deleted)')
        yield batch.map((entry) => csvLine(cellsOf(entry, { clock, cards, name: nameOf(entry) })) + lineEnd).join('')
      }
    }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `billing-${span.from}-to-${span.to}.csv`,
      open: () => Readable.from(lines(), { objectMode: false }),
    }
  }
}

function midnightOf(date: string, zone: string): Date {
  const moment = momentOf({ date, time: '00:00' }, zone)
  if (!moment) throw new RangeError(`${date} is no date`)
  return moment
}

const headerOf = (zone: string): string[] => [
  ...[`Delivered (${zone})`, 'Category', 'Charged', 'Country', 'Price', 'Currency', 'Campaign', 'Campaign ID'],
  'Message ID',
]

function cellsOf(
  { at, category, billable, country, campaignId, messageId }: Usage,
  { clock, cards, name }: { clock: Intl.DateTimeFormat; cards: readonly BegunCard[]; name: string },
): string[] {
  const card = cards.findLast(({ begins }) => begins <= at)
  const price = card && billable ? priceOf(card.rates, country ?? null, category) : undefined
  return [
    ...[clock.format(at), category, billable ? 'yes' : 'no', country ?? ''],
    price === undefined ? '' : String(price / microsInUnit),
    price === undefined ? '' : (card?.currency ?? ''),
    ...[name, campaignId ?? '', messageId],
  ]
}
