import { describe, expect, it } from "vitest";
import { HashEmbedder } from "./hash-embedder.ts";

const embedder = new HashEmbedder();
const cosine = (left: string, right: string): number => {
  const [a, b] = [embedder.embed(left), embedder.embed(right)];
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
};

describe("the hash embedder", () => {
  it("gives vectors of length 1 and of its dimension, always the same", () => {
    const vector = embedder.embed("Ana moved to Lisbon in May.");
    expect(vector).toHaveLength(embedder.dimension);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    expect(embedder.embed("Ana moved to Lisbon in May.")).toEqual(vector);
  });

  it("gives nothing for a text without words", () => {
    for (const text of ["", " \n", "?!…"]) expect(embedder.embed(text).every((value) => value === 0)).toBe(true);
  });

  it("takes case, marks and order for nothing", () => {
    expect(cosine("Ámber RIVER", "river amber")).toBeCloseTo(1, 6);
  });

  it("brings inflected and misspelled words near, and keeps others below its floor", () => {
    expect(cosine("gardening", "gardens")).toBeGreaterThan(embedder.floor);
    expect(cosine("Ana visited Lisbon", "where did Anna visit lisbonn")).toBeGreaterThan(embedder.floor);
    expect(cosine("gardening in spring", "quarterly tax statement")).toBeLessThan(embedder.floor);
    expect(cosine("where is the one of you", "who was the one that you are")).toBeGreaterThan(embedder.floor);
    expect(cosine("where is the house", "when was the boat")).toBeLessThan(embedder.floor);
  });

  it("confirms what shares a word or a piece of one, and nothing that lies near by chance", () => {
    expect(embedder.confirms("where is the gardening", "gardens")).toBe(true);
    expect(embedder.confirms("house", "Val")).toBe(false);
    const names = ["Ana", "Bob", "Jon", "Val", "Fay", "Wes", "Zoe", "Oli", "admin"];
    const words = ["house", "yew", "map", "猫", "山", "木", "tulip", "car", "sun", "ink"];
    const near = words.flatMap((word) => names.filter((name) => cosine(word, name) >= embedder.floor));
    expect(near).not.toEqual([]);
    expect(words.flatMap((word) => names.filter((name) => embedder.confirms(word, name)))).toEqual([]);
  });

  it("counts the first 4,096 characters of a text", () => {
    const long = "word ".repeat(1000);
    expect(embedder.embed(`${long} other`)).toEqual(embedder.embed(long.slice(0, 4096)));
  });
});
