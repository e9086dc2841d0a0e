/** Processes that every cell has of its own, by service; the cells of an installation share the others. */
export const cellProcesses = {
  messaging: ['messaging', 'messaging-ingest', 'messaging-worker', 'messaging-webhooks'],
  automation: ['automation', 'automation-worker'],
} as const
