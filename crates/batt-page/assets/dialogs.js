// Dialogs: the focus stays in the uppermost one, and goes back to where it was when it closes.
const dialogs = [];
const FOCUSABLE = "button, [href], input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";

function openDialog(element, onClose) {
  if (dialogs.some((one) => one.element === element)) return;
  dialogs.push({ element, onClose, before: document.activeElement });
  element.hidden = false;
  settleDialogs();
  element.focus();
}

function closeDialog(element) {
  const index = dialogs.findIndex((one) => one.element === element);
  if (index < 0) return;
  const [{ before }] = dialogs.splice(index, 1);
  element.hidden = true;
  settleDialogs();
  const top = dialogs[dialogs.length - 1];
  if (before && before.isConnected && !before.closest("[inert]")) before.focus({ preventScroll: true });
  else if (top) top.element.focus();
}

// All that is not in the uppermost dialog cannot be reached.
function settleDialogs() {
  const top = dialogs[dialogs.length - 1];
  for (const part of [document.querySelector(".masthead"), document.querySelector("main")]) part.inert = Boolean(top);
  for (const { element } of dialogs) element.inert = element !== top.element;
  if (top) top.element.inert = false;
  byId("veil").hidden = !top;
  document.body.style.overflow = top ? "hidden" : "";
}

function keepFocus(event) {
  const top = dialogs[dialogs.length - 1];
  if (!top || event.key !== "Tab") return;
  const all = [...top.element.querySelectorAll(FOCUSABLE)].filter((one) => !one.disabled && one.getClientRects().length > 0);
  if (all.length === 0) {
    event.preventDefault();
    return;
  }
  const [first, last] = [all[0], all[all.length - 1]];
  const now = document.activeElement;
  const wanted = event.shiftKey ? (now === first || now === top.element) && last : now === last && first;
  if (!wanted) return;
  event.preventDefault();
  wanted.focus();
}
