import type { Connection } from 'mongoose'

/** Words that every workspace began with; the lists of languages have them now. */
const usual = {
  stop: ['STOP', 'UNSUBSCRIBE', 'OPT OUT', 'बंद करो', 'PARAR', 'BAJA', 'ARRET', 'BERHENTI', 'إيقاف'],
  stopAll: ['STOP ALL'],
  start: ['START'],
}

/** A word that a workspace has taken off its lists goes on counting for nothing there. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  for (const [list, words] of Object.entries(usual))
    for (const word of words)
      await db
        .collection('consentSettings')
        .updateMany({ [list]: { $exists: true, $ne: word } }, { $addToSet: { ignored: word } })
}
