import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from './api.ts'

/**
 * Puts what a server says about fields beside them and goes to the first.
 * @param names the form's fields in the order of the screen.
 * @returns false if the answer was about none of them; `problemText` then says what it was about.
 */
export function showFieldProblems<T extends FieldValues>(
  error: unknown,
  names: readonly FieldPath<T>[],
  setError: UseFormSetError<T>,
): boolean {
  const fields = error instanceof ApiError ? (error.body.fields ?? {}) : {}
  const wrong = names.filter((name) => fields[name] !== undefined)
  wrong.forEach((name, place) => {
    setError(name, { message: fields[name] ?? '' }, { shouldFocus: place === 0 })
  })
  return wrong.length > 0
}

/** What a failed change says: the server's own words, or `fallback`. */
export const problemText = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.body.message) || fallback
