// The reader's choices, stored for the next visit. If the browser has no storage they are
// forgotten, and the page works all the same.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice is for this visit only.
  }
}
