import { html, nothing, type TemplateResult } from 'lit-html'
import { icon } from './icons.ts'
import { type Dialog, state, update } from './state.ts'

/** Opens a dialog of the page, and closes the one that was open. */
export function openDialog(dialog: Dialog): void {
  state.problem = ''
  state.dialog = dialog
  for (const phone of state.phones) phone.menu = undefined
  update()
}

/** Closes it; the focus goes back to where it was. */
export function closeDialog(): void {
  const element = document.querySelector('dialog')
  if (element?.open) element.close()
  else forget()
}

function forget(): void {
  state.dialog = undefined
  // The element that opened it may be gone, with the menu that it stood in.
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('.composer textarea')?.focus()
  update()
}

/** The dialog that is open. The browser keeps the focus in it and closes it on Escape. */
export function dialogView(): TemplateResult | typeof nothing {
  const { dialog, problem } = state
  if (!dialog) return nothing
  const submit = async (event: Event) => {
    event.preventDefault()
    const outcome = dialog.run?.()
    state.problem = typeof outcome === 'string' ? outcome : ''
    update()
    if (typeof outcome === 'string') return
    // A refusal of the simulator is shown in a line of its own; the input stays.
    await Promise.resolve(outcome).then(closeDialog, () => undefined)
  }
  const beside = (event: Event) => {
    if (event.target === event.currentTarget) closeDialog()
  }
  return html`<dialog class=${dialog.isWide ? 'wide' : ''} aria-labelledby="dialog-title" @close=${forget} @pointerdown=${beside}>
    <form method="dialog" novalidate @submit=${submit}>
      <header>
        <h2 id="dialog-title">${dialog.title}</h2>
        <button type="button" class="quiet" aria-label="Close" @click=${closeDialog}>${icon('close')}</button>
      </header>
      <div class="fields">${dialog.body()}</div>
      ${problem ? html`<p class="problem" role="alert">${icon('alert', 18)} ${problem}</p>` : nothing}
      ${
        dialog.action
          ? html`<footer>
            <button type="button" @click=${closeDialog}>Cancel</button>
            <button type="submit" class=${dialog.isDangerous ? 'danger' : 'primary'}>${dialog.action}</button>
          </footer>`
          : nothing
      }
    </form>
  </dialog>`
}

/** A labelled field of a dialog. */
export const field = (label: string, control: TemplateResult, hint?: string): TemplateResult =>
  html`<label class="field"><span>${label}</span>${control}${hint ? html`<small>${hint}</small>` : nothing}</label>`

export const enteredIn = (event: Event): string => (event.target as HTMLInputElement).value

/** Asks for one text. @param ask.save is called with the text. @param ask.check returns the problem with it. */
export function askText(ask: {
  title: string
  label: string
  value: string
  hint?: string
  action?: string
  check: (value: string) => string | undefined
  save: (value: string) => Promise<unknown>
}): void {
  let value = ask.value
  openDialog({
    title: ask.title,
    action: ask.action ?? 'Save',
    body: () =>
      field(
        ask.label,
        html`<input autofocus .value=${ask.value} @input=${(event: Event) => {
          value = enteredIn(event)
        }} />`,
        ask.hint,
      ),
    run: () => ask.check(value.trim()) ?? ask.save(value.trim()),
  })
}

/** Returns the problem with a phone number. */
export function phoneProblem(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return digits.length < 7 || digits.length > 15 ? 'Enter a phone number with its country code.' : undefined
}

/** Returns the problem with a username. */
export const usernameProblem = (text: string): string | undefined =>
  /^[a-z0-9._]{3,35}$/.test(text)
    ? undefined
    : 'A username has 3 to 35 lower-case letters, digits, full stops and underscores.'

/** Returns a username that a person of this name might have. */
export const usernameOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '.')
    .replaceAll(/^\.|\.$/g, '')
    .slice(0, 35)
