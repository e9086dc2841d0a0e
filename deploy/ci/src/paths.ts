import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Folder in which stages leave their counts. */
export const reportsFolder = `${root}/.parley/reports`
