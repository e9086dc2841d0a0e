import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from './api.ts'

/**
 * Puts what a server says about fields beside them and goes to the first.
 * @param fields the server's name of each field to the form's, in the order of the screen.
 * @returns false if the answer was about none of them; `explain` then says what it was about.
 */
export function showFieldProblems<T extends FieldValues>(
  error: unknown,
  fields: Readonly<Record<string, FieldPath<T>>>,
  setError: UseFormSetError<T>,
): boolean {
  const refused = error instanceof ApiError ? (error.body.fields ?? {}) : {}
  const wrong = Object.entries(fields).filter(([name]) => refused[name] !== undefined)
  wrong.forEach(([name, field], index) => {
    setError(field, { message: refused[name] ?? '' }, { shouldFocus: index === 0 })
  })
  return wrong.length > 0
}
