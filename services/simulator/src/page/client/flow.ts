import { html } from 'lit-html'
import { enteredIn, field, openDialog } from './dialog.ts'
import { icon } from './icons.ts'
import { call, update } from './state.ts'

/** Stands in for the screens of a flow, which the simulator does not know: names and values of what was entered. */
export function flowDialog(wamid: string, title: string): void {
  const answers = [{ name: 'name', value: '' }]
  const typed = (answer: { name: string; value: string }, part: 'name' | 'value') => (event: Event) => {
    answer[part] = enteredIn(event)
  }
  openDialog({
    title,
    action: 'Complete',
    body: () => html`<p class="hint">Screens of a flow are not simulated. Enter what the business is to receive.</p>
      ${answers.map(
        (answer, index) => html`<div class="pair">
        ${field('Field', html`<input maxlength="100" .value=${answer.name} @input=${typed(answer, 'name')} />`)}
        ${field('Answer', html`<input maxlength="1000" ?autofocus=${index === 0} .value=${answer.value} @input=${typed(answer, 'value')} />`)}
      </div>`,
      )}
      <button type="button" class="link" @click=${() => {
        answers.push({ name: '', value: '' })
        update()
      }}>${icon('plus', 18)} Add a field</button>`,
    run: () => {
      const filledAnswers = answers.filter(({ name }) => name.trim() !== '')
      if (filledAnswers.length === 0) return 'Enter at least one field.'
      const flow = Object.fromEntries(filledAnswers.map(({ name, value }) => [name.trim(), value]))
      return call('/press', { wamid, flow })
    },
  })
}
