// swift-tools-version:5.9
import Foundation

/// A shape.
protocol Shape: AnyObject {
    associatedtype Unit
    var area: Double { get }
    func scaled(by factor: Double) -> Self
}

enum Colour: String, CaseIterable {
    case red, green = "g"
    indirect case mixed(Colour, with: Colour)
}

struct Stack<Element> where Element: Equatable {
    private(set) var items: [Element] = []
    static let limit = 1_000
    var top: Element? { items.last }
    subscript(index: Int) -> Element {
        get { return items[index] }
        set { items[index] = newValue }
    }
    mutating func push(_ item: Element, times n: Int = 1) throws {
        guard n > 0, items.count < Self.limit else { throw StackError.full }
        for _ in 0..<n where n % 2 == 0 { items.append(item) }
    }
}

extension Stack: CustomStringConvertible {
    var description: String { "stack of \(items.count) \"things\"" }
}

@available(macOS 10.15, *)
final class Reader {
    weak var owner: Reader?
    lazy var cache: [String: Int] = ["a": 1, "b": 0x1F]
    init?(path: String) { if path.isEmpty { return nil } }
    deinit { print("gone") }
    func read() async throws -> Int {
        let data = try await load()
        switch data.count {
        case 0: return -1
        case 1...9, 20: fallthrough
        case let n where n > 100: return n
        default: break
        }
        do { _ = try JSONDecoder().decode(Int.self, from: data) } catch { print(error) }
        let squares = [1, 2, 3].map { $0 * $0 }.filter { (x: Int) -> Bool in x > 1 }
        while let last = cache.values.first, last > 3 { cache.removeAll() }
        repeat { owner = nil } while owner != nil
        return squares.first ?? (data.isEmpty ? 0 : Int(1.5e3))
    }
}
