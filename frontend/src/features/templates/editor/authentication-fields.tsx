import type { Authentication } from '@parley/contracts/templates/template-authentication'
import { Checkbox, InputNumber } from 'antd'
import { useId } from 'react'
import { get, useController, useFormContext } from 'react-hook-form'
import styles from './editor.module.css'
import { defaultAuthentication, type TemplateFormValues } from './form-values.ts'

/** An authentication template: WhatsApp writes its text, and translates it. */
export function AuthenticationFields() {
  const id = useId()
  const { control, formState } = useFormContext<TemplateFormValues>()
  const { field } = useController({ control, name: 'authentication' })
  const chosen: Authentication = field.value ?? defaultAuthentication
  const problem: string | undefined = get(formState.errors, 'authentication.expiresInMinutes.message')
  return (
    <fieldset className={styles['group']}>
      <legend>Verification code</legend>
      <p className={styles['lead']}>
        WhatsApp writes the text of this category and translates it. The code is filled in when it is sent, and a button
        copies it.
      </p>
      {chosen.autofill && (
        <p className={styles['lead']}>
          {chosen.autofill.kind === 'one_tap' ? 'At one tap the code is' : 'The code is'} filled in by{' '}
          {chosen.autofill.apps.map(({ packageName }) => packageName).join(', ') || 'your Android app'}. This was set in
          WhatsApp Manager and stays.
        </p>
      )}
      <Checkbox
        checked={chosen.securityRecommendation}
        onChange={({ target }) => field.onChange({ ...chosen, securityRecommendation: target.checked })}
      >
        Add security recommendation
      </Checkbox>
      <div className={styles['account']}>
        <label htmlFor={id}>
          Minutes until it expires <span className={styles['optional']}>(optional)</span>
        </label>
        <InputNumber<number>
          id={id}
          min={1}
          max={90}
          precision={0}
          controls={false}
          value={chosen.expiresInMinutes ?? null}
          {...(problem && { status: 'error' as const, 'aria-describedby': `${id}-problem` })}
          onChange={(minutes) => field.onChange({ ...chosen, expiresInMinutes: minutes ?? undefined })}
        />
        <p id={`${id}-problem`}>{problem ?? 'From 1 to 90. Customers read it under the code.'}</p>
      </div>
    </fieldset>
  )
}
