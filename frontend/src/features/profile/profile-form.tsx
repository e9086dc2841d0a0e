import { zodResolver } from '@hookform/resolvers/zod'
import { profileApi, type User } from '@parley/contracts/account/profile'
import { Button, Input } from 'antd'
import { type ReactNode, useRef } from 'react'
import { useController, useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api.ts'
import { signInName } from '../../lib/auth/session.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useConflict } from '../../lib/use-conflict.ts'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { MobileFields } from '../../ui/mobile-fields.tsx'
import { toast } from '../../ui/toast.ts'
import { saveErrorText, useSaveProfile } from './api.ts'
import { AvatarField } from './avatar-field.tsx'
import {
  changedFields,
  fieldLabels,
  formFieldOf,
  formFields,
  type ProfileFormValues,
  profileFormSchema,
  valuesOfUser,
} from './form-values.ts'
import styles from './profile-form.module.css'
import { TimeZoneField } from './time-zone-field.tsx'

interface Props {
  initial: ProfileFormValues
  submitLabel: 'Complete Setup' | 'Save Changes'
  /** Stored profile, for a form that changes it: unsaved changes cause a question before they are lost. */
  user?: User
  onSaved: (user: User) => void
  /** Stands above the save bar, which stays in reach. */
  children?: ReactNode
}

/** The one form of Profile setup and Profile: what is typed survives every error. */
export function ProfileForm({ initial, submitLabel, user: stored, onSaved, children }: Props) {
  const form = useForm<ProfileFormValues>({ resolver: zodResolver(profileFormSchema), defaultValues: initial })
  const { control, handleSubmit, setValue, getValues, setError, clearErrors, reset, watch, formState } = form
  const photo = useController({ control, name: 'profileImageUrl' })
  const sent = useRef(initial)
  const conflict = useConflict({ form, record: stored, valuesOf: valuesOfUser, labels: fieldLabels })
  const save = useSaveProfile((user) => {
    const typedMeanwhile = changedFields(sent.current, getValues())
    conflict.saved(user)
    reset(valuesOfUser(user))
    for (const { name, value } of typedMeanwhile) setValue(name, value, { shouldDirty: true })
    onSaved(user)
  })

  function showProblems(error: unknown) {
    // The session has ended, which is said where it ends.
    if (signInName() === undefined) return
    const current = staleRecord(error, profileApi.update)
    if (current) return conflict.merge(current)
    toast.error(saveErrorText(error))
    const fields = error instanceof ApiError ? (error.body.fields ?? {}) : {}
    const problems = Object.entries(fields).map(([name, message]) => [formFieldOf(name), message] as const)
    const first = formFields.find((field) => problems.some(([name]) => name === field))
    for (const [name, message] of problems) if (name) setError(name, { message }, { shouldFocus: name === first })
  }

  const submit = handleSubmit((values) => {
    sent.current = getValues()
    save.mutate({ values, seen: conflict.seen }, { onError: showProblems })
  })

  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <ConflictNotice what="profile" conflict={conflict} />
      <div className={styles['columns']}>
        <fieldset className={styles['column']}>
          <legend>Photo and name</legend>
          <AvatarField
            name={watch('firstName')}
            value={photo.field.value}
            error={photo.fieldState.error?.message}
            disabled={save.isPending}
            onChange={(value) => {
              clearErrors('profileImageUrl')
              setValue('profileImageUrl', value, { shouldDirty: true })
            }}
            onProblem={(message) => setError('profileImageUrl', { message })}
          />
          <Field control={control} name="firstName" label="First Name">
            {(field) => <Input {...field} autoComplete="given-name" maxLength={80} />}
          </Field>
          <Field control={control} name="lastName" label="Last Name">
            {(field) => <Input {...field} autoComplete="family-name" maxLength={80} />}
          </Field>
        </fieldset>
        <fieldset className={styles['column']}>
          <legend>Contact and time zone</legend>
          <MobileFields form={form} />
          <Field control={control} name="address" label="Address" optional>
            {(field) => <Input.TextArea {...field} rows={3} maxLength={500} autoComplete="street-address" />}
          </Field>
          <TimeZoneField control={control} />
        </fieldset>
      </div>
      {children}
      <div className={styles['bar']}>
        {stored && (
          <p className={styles['note']} role="status">
            {formState.isDirty && !save.isPending ? 'You have unsaved changes.' : ''}
          </p>
        )}
        <Button type="primary" htmlType="submit" className={styles['save'] ?? ''} loading={save.isPending}>
          {save.isPending ? 'Saving...' : submitLabel}
        </Button>
      </div>
      {stored && <LeaveWarning what="the profile" active={formState.isDirty && !save.isPending} />}
    </form>
  )
}
