/** Keeps a select's list inside the form, so that it belongs to the page's main part and scrolls with its control. */
export const popupInside = (control: HTMLElement): HTMLElement => control.parentElement ?? document.body
