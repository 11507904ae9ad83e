/** Objects of an application's own. */

import { equal, truthy } from '../check.mjs';

class City {
  constructor(name, people) {
    this.name = name;
    this.people = people;
  }
}

const converter = {
  toFirestore: ({ name, people }) => ({ title: name, people }),
  fromFirestore: (snapshot) => {
    const { title, people } = snapshot.data();
    return new City(title, people);
  },
};

const needs = ['converters'];

export const converters = [
  {
    name: 'an object goes in and comes out',
    needs,
    async run(driver, scope) {
      const path = `${scope.collection()}/delft`;
      const ref = driver.converted(path, converter);
      await ref.set(new City('Delft', 100));
      equal(await driver.get(path), { title: 'Delft', people: 100 });
      const city = await ref.get();
      truthy(city instanceof City, 'a City comes back');
      equal({ ...city }, { name: 'Delft', people: 100 });
    },
  },
];
