import { accessSync, constants, mkdirSync } from 'node:fs'
import { explainFileError } from './problem.ts'

/**
 * Makes a folder where there is none and checks that this process may use it.
 * @throws Problem saying what to type if it may not.
 */
export function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw explainFileError(error, folder)
  }
}
