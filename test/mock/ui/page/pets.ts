import { expect, test } from 'vitest';
import { becomes, type SharedPage } from './shared-page.js';

/** The table of pets. */
export function testPets(shared: SharedPage): void {
  const { mock, open } = shared;

  test('adds, edits and removes pets without losing a digit or a field', async () => {
    const page = await open();
    const { pets } = mock.forKey();
    pets.load([{ id: 9007199254740993n, name: 'Rex', categoryId: 1, chip: 'A7' }]);
    await page.getByRole('tab', { name: 'Pets' }).click();
    const nameField = page.getByLabel('Name of pet 9007199254740993');
    await nameField.fill('<b>Max</b>');
    await page.keyboard.press('Enter');
    await becomes(
      () => pets.list(),
      [{ id: 9007199254740993n, name: '<b>Max</b>', categoryId: 1n, chip: 'A7' }],
    );
    await nameField.fill('Undone');
    await page.keyboard.press('Escape');
    await becomes(() => nameField.inputValue(), '<b>Max</b>');
    await page.getByLabel('Name of the new pet').fill('Ada');
    await page.getByLabel('Category id of the new pet').fill('9007199254740995');
    await page.getByRole('button', { name: 'Add the new pet' }).click();
    await becomes(() => pets.find(1), {
      id: 1n,
      name: 'Ada',
      categoryId: 9007199254740995n,
      status: 'available',
    });
    await page.getByRole('button', { name: 'Remove pet 9007199254740993' }).click();
    await becomes(() => pets.list().map(({ name }) => name), ['Ada']);
    expect(await page.locator('td b').count()).toBe(0);
  });

  test('shows a pet without a name, and a double click removes one pet', async () => {
    const page = await open();
    const { pets } = mock.forKey();
    pets.load(['', 'Ada', 'Rex'].map((name) => ({ name, categoryId: 1 })));
    await page.getByRole('tab', { name: 'Pets' }).click();
    await page.getByLabel('Name of pet 1').waitFor();
    const border = await page.evaluate(
      `getComputedStyle(document.querySelector('[aria-label="Name of pet 1"]')).borderTopColor`,
    );
    expect(border).not.toMatch(/transparent|rgba\(.*, 0\)/);
    await page.getByRole('button', { name: 'Remove pet 1' }).dblclick();
    await page.getByText('1–2 of 2 pets').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('');
    await page.getByRole('button', { name: 'Remove pet 3' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Pets' }).and(page.locator(':focus')).waitFor();
    await becomes(() => pets.list().map(({ name }) => name), ['Ada']);
    await page.getByRole('button', { name: 'Add the new pet' }).click();
    await becomes(() => page.evaluate('document.activeElement.ariaLabel'), 'Name of the new pet');
    await page.getByLabel('Category id of pet 2').fill('many');
    await page.keyboard.press('Enter');
    await becomes(() => page.locator('input:invalid').count(), 2);
    expect(pets.list()).toMatchObject([{ name: 'Ada', categoryId: 1n }]);
  });

  test('shows a part of many pets, and filters them', async () => {
    mock
      .forKey()
      .pets.load(
        Array.from({ length: 120 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1, status: 'sold' })),
      );
    const page = await open();
    await page.getByRole('tab', { name: 'Pets' }).click();
    await page.getByText('1–50 of 120 pets').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100 of 120 pets').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByRole('tabpanel').locator('select').selectOption('pending');
    await page.getByText('No pets').waitFor();
  });
}
