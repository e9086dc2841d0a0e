import { whereExists } from '@parley/service-kit/data/partial-index'
import type { Connection } from 'mongoose'

/** Finds the templates, and drafts of templates, that carry a file on a card. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const templates = db.collection('templates')
  for (const [name, path] of [
    ['card-file', 'cards.headerMedia.file.mediaId'],
    ['draft-card-file', 'draft.content.cards.headerMedia.file.mediaId'],
  ] as const)
    await templates.createIndex({ workspaceId: 1, [path]: 1 }, { name, ...whereExists(path) })
}
