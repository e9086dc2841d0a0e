import type { Connection } from 'mongoose'

/** What alerts ask for every few seconds: stopped numbers and dead pieces of webhooks, counted without reading one. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('numbers')
    .createIndex(
      { status: 1, simulated: 1, 'stopped.at': 1 },
      { partialFilterExpression: { 'stopped.at': { $exists: true } }, name: 'stopped' },
    )
  await db
    .collection('rawEvents')
    .createIndex(
      { kind: 1, deadAt: 1 },
      { partialFilterExpression: { deadAt: { $exists: true } }, name: 'dead-of-kind' },
    )
}
