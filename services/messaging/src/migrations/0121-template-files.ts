import type { Connection } from 'mongoose'

/** Templates by the file above their text, which is not deleted with what a person was sent. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('templates')
    .createIndex(
      { workspaceId: 1, 'headerMedia.file.mediaId': 1 },
      { partialFilterExpression: { 'headerMedia.file.mediaId': { $exists: true } }, name: 'file' },
    )
}
