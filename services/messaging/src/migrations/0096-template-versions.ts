import type { Connection } from 'mongoose'

/** What was sent for review, by template; campaigns that are to send a template. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const number = { workspaceId: 1, templateId: 1, number: -1 } as const
  await db.collection('templateVersions').createIndex(number, { unique: true, name: 'number' })
  const template = { workspaceId: 1, templateId: 1, status: 1 } as const
  await db.collection('campaigns').createIndex(template, { name: 'template' })
}
