import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Where stages leave what they counted. */
export const reportsFolder = `${root}/.parley/reports`
