import { type Template, templateFieldsSchema } from '@parley/contracts/templates/templates'
import { useEffect, useState } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import { toast } from '../../../ui/toast.ts'
import { useSaveDraft } from '../draft-api.ts'
import { contentOf, type TemplateFormValues, writtenOf } from './form-values.ts'

/**
 * Saves what the form says without sending it for review. Whatever WhatsApp would refuse may stand in it, as long as it fits
 * the fields. The form stays open.
 */
export function useDraftSaving({
  form,
  seen,
  accountId,
  onSaved,
  onRefused,
  onCreated,
}: {
  form: UseFormReturn<TemplateFormValues>
  /** The template as the form knows it; absent for a new one. */
  seen: Template | undefined
  accountId: string | undefined
  onSaved: (template: Template) => void
  onRefused: (error: Error) => void
  /** A new one is stored now, and nothing was written since. */
  onCreated: (id: string) => void
}) {
  const { mutate, isPending } = useSaveDraft(seen)
  const [created, setCreated] = useState<string>()
  const { isDirty } = form.formState
  // Done when the leave warning knows that everything is saved.
  useEffect(() => {
    if (created !== undefined && !isDirty) onCreated(created)
  }, [created, isDirty, onCreated])

  function save() {
    const pressed = structuredClone(form.getValues())
    const { data, error } = templateFieldsSchema.safeParse(contentOf(pressed))
    form.clearErrors()
    if (!data) {
      for (const [index, { path, message }] of error.issues.entries())
        form.setError(path.join('.') as FieldPath<TemplateFormValues>, { message }, { shouldFocus: index === 0 })
      return
    }
    mutate(
      { ...data, accountId },
      {
        onSuccess: (template) => {
          toast.success('Draft saved')
          takeOver(form, pressed, writtenOf(template))
          onSaved(template)
          if (!seen) setCreated(template.id)
        },
        onError: onRefused,
      },
    )
  }

  return { save, isPending }
}

/** Keeps changes written while it was being saved; they are not saved yet. */
function takeOver(
  form: UseFormReturn<TemplateFormValues>,
  pressed: TemplateFormValues,
  saved: TemplateFormValues,
): void {
  const isAsPressed = (name: keyof TemplateFormValues, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(pressed[name])
  const written = structuredClone(form.getValues())
  form.reset(saved)
  for (const name of Object.keys(written) as (keyof TemplateFormValues)[])
    if (!isAsPressed(name, written[name])) form.setValue(name, written[name], { shouldDirty: true })
}
